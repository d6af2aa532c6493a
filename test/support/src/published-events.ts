import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** What a subscriber can read, of what Davit publishes. */
export const PUBLISHED_EVENTS = path.resolve(
  import.meta.dirname,
  ...['..', '..', '..', 'docs', 'reference', 'events.schema.json'],
);

interface Branch {
  readonly properties: {
    readonly type: { readonly const: string };
    readonly dataschema: { readonly const: string };
    readonly data: { readonly $ref: string };
  };
}
interface PublishedFile {
  readonly $id: string;
  readonly oneOf: readonly Branch[];
}

/**
 * Holds events against the published file as a stranger would: by JSON Schema, and not by the schemas that wrote them. Only what
 * is met is compiled.
 */
class PublishedEvents {
  // Whether the file is a schema at all is asked once, by the test of what is published.
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false });
  private readonly branches: ReadonlyMap<string, Branch>;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly id: string;

  constructor() {
    const file = JSON.parse(readFileSync(PUBLISHED_EVENTS, 'utf8')) as PublishedFile;
    formats.default(this.ajv);
    this.ajv.addSchema(file);
    this.id = file.$id;
    this.branches = new Map(file.oneOf.map((branch) => [branch.properties.type.const, branch]));
  }

  /** What of the file an event is not; nothing where it is as published. */
  complaint(event: unknown): string | undefined {
    const wrong = this.problem('#/$defs/envelope', event);
    if (wrong !== undefined) return wrong;
    const { type, dataschema, data } = event as { type: string; dataschema: string; data: unknown }; // as the envelope says
    const branch = this.branches.get(type);
    if (branch?.properties.dataschema.const !== dataschema) return `${type} of schema ${dataschema} is not published`;
    return this.problem(branch.properties.data.$ref, data);
  }

  private problem(reference: string, value: unknown): string | undefined {
    const known = this.compiled.get(reference);
    const validate = known ?? this.ajv.compile({ $ref: `${this.id}${reference}` });
    if (!known) this.compiled.set(reference, validate);
    return validate(value) ? undefined : `${reference}: ${this.ajv.errorsText(validate.errors, { dataVar: '' })}`;
  }
}

let published: PublishedEvents | undefined;

/** Lines that tell which events the published schemas do not allow, and why. */
export function unpublishedEvents(events: readonly unknown[]): readonly string[] {
  const file = (published ??= new PublishedEvents());
  return events.flatMap((event) => {
    const wrong = file.complaint(event);
    const { position, type } = (event ?? {}) as { position?: unknown; type?: unknown }; // for the line alone
    return wrong === undefined ? [] : [`${String(type)} at position ${String(position)}: ${wrong}`];
  });
}
