import { z } from 'zod';
import { imageOf, type SealedContent, sealed } from '../template/content.js';
import type { Reply } from '../wire/reply.js';
import type { Secret } from '../wire/secret.js';
import type { Transport } from '../wire/transport.js';
import { done, id, maybeText } from './fields.js';

/** A template as it is sent. Everything that may hold a secret is in here, so it exists at the last hop only. */
export interface TemplateBody {
  readonly name: string;
  readonly image: string;
  readonly tag: string;
  /** Docker flags in one text: `-e NAME=value -p 8000:8000`. */
  readonly env: string;
  readonly onstart: string;
  readonly runtype: 'args' | 'ssh' | 'jupyter';
  readonly args_str: string;
  readonly recommended_disk_space: number;
}

/** A template as it is stored: what may be told, and its content for comparison alone. */
const templateRow = z
  .object({
    id,
    name: maybeText,
    hash_id: maybeText,
    image: maybeText,
    tag: maybeText,
    env: maybeText,
    onstart: maybeText,
    args_str: maybeText,
  })
  .transform((row) => ({
    id: row.id,
    name: row.name ?? null,
    /** Changes with every edit; 32 hexadecimal digits. */
    hash: row.hash_id ?? null,
    image: imageOf(row.image ?? '', row.tag ?? ''),
    content: sealed(row),
  }));
export interface TemplateRow {
  readonly id: number;
  readonly name: string | null;
  readonly hash: string | null;
  readonly image: string;
  readonly content: SealedContent;
}
const templateList = z
  .object({ success: z.literal(true).optional(), templates: z.array(templateRow) })
  .transform(({ templates }): readonly TemplateRow[] => templates);

const createdTemplate = z
  .object({ success: z.literal(true), template: z.object({ id, hash_id: maybeText }) })
  .transform(({ template }) => ({ id: template.id, hash: template.hash_id ?? null }));

const PATH = '/api/v0/template/';

/**
 * Templates. There is no call that edits one: an edit keeps the id and changes the hash, which takes the way back away from
 * every workergroup that uses it.
 */
export class TemplatesApi {
  constructor(private readonly transport: Transport) {}

  /** Null when there is none of this id, or none that the key may see. */
  byId(templateId: number): Promise<Reply<TemplateRow | null>> {
    return this.one({ id: { eq: templateId } }, (row) => row.id === templateId);
  }

  byHash(hash: string): Promise<Reply<TemplateRow | null>> {
    return this.one({ hash_id: { eq: hash } }, (row) => row.hash === hash);
  }

  /** The list holds public templates of other people as well, so a name alone says nothing of whose it is. */
  byName(name: string): Promise<Reply<readonly TemplateRow[]>> {
    return this.find({ name: { eq: name } }, (row) => row.name === name);
  }

  /**
   * With the template author's key. Not safe to repeat, and may give back an existing template of the same name.
   * @param secrets values in the body that no text may show
   */
  create(body: Secret<TemplateBody>, secrets: readonly string[]) {
    return this.transport.call({
      route: 'POST template',
      path: PATH,
      schema: createdTemplate,
      body: {
        ...body.reveal(),
        ...{ docker_login_repo: '', docker_login_user: '', docker_login_pass: '' },
        ...{ use_ssh: false, ssh_direct: false, private: true, readme_visible: false },
      },
      secrets,
    });
  }

  /** With the template author's key. Never of a template that a workergroup uses, or may have to go back to. */
  delete(templateId: number): Promise<Reply<null>> {
    return this.transport.call({
      route: 'DELETE template',
      path: PATH,
      schema: done,
      body: { template_id: templateId },
    });
  }

  private async one(filter: object, isIt: (row: TemplateRow) => boolean): Promise<Reply<TemplateRow | null>> {
    const reply = await this.find(filter, isIt);
    return reply.kind === 'confirmed' ? { kind: 'confirmed', value: reply.value[0] ?? null } : reply;
  }

  private async find(filter: object, isIt: (row: TemplateRow) => boolean): Promise<Reply<readonly TemplateRow[]>> {
    const path = `${PATH}?select_filters=${encodeURIComponent(JSON.stringify(filter))}`;
    const reply = await this.transport.call({ route: 'GET template', path, schema: templateList });
    // A service that ignores the filter gives everything.
    return reply.kind === 'confirmed' ? { kind: 'confirmed', value: reply.value.filter(isIt) } : reply;
  }
}
