import { createHash } from 'node:crypto';
import { Secret } from '../wire/secret.js';

/** The fields of a template that may hold secrets, as they are stored. */
export interface StoredContent {
  readonly image?: string | null | undefined;
  readonly tag?: string | null | undefined;
  readonly env?: string | null | undefined;
  readonly onstart?: string | null | undefined;
  readonly args_str?: string | null | undefined;
}

export type ContentField = 'image' | 'env' | 'onstart' | 'args';

/** Digests of a template's fields, for comparison in this process alone: a digest of a short secret can be guessed. */
export type SealedContent = Secret<Readonly<Record<ContentField, string>>>;

export const sealed = ({ image, tag, env, onstart, args_str }: StoredContent): SealedContent =>
  new Secret({
    image: imageOf(image ?? '', tag ?? ''),
    env: digest(
      flagsOf(env ?? '')
        .toSorted()
        .join('\n'),
    ),
    onstart: digest((onstart ?? '').trim()),
    args: digest((args_str ?? '').trim()),
  });

/** Fields in which two contents differ, by name and never by value. */
export function differingFields(a: SealedContent, b: SealedContent): readonly ContentField[] {
  const [left, right] = [a.reveal(), b.reveal()];
  return (['image', 'env', 'onstart', 'args'] as const).filter((field) => left[field] !== right[field]);
}

/** Names of the variables in docker flags. */
export const variableNames = (env: string): readonly string[] =>
  flagsOf(env)
    .flatMap((flag) => /^-e ([^=]+)=/.exec(flag)?.[1] ?? [])
    .toSorted();

/** An image with its tag in one text; a pinned image has none. */
export function imageOf(image: string, tag: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  if (image === '' || image.includes('@')) return image;
  if (!last.includes(':')) return `${image}:${tag === '' ? 'latest' : tag}`;
  return image;
}

/** An image and its tag apart, as a template wants them. */
export function splitImage(image: string): { readonly image: string; readonly tag: string } {
  const at = image.lastIndexOf(':');
  if (image.includes('@') || at <= image.lastIndexOf('/')) return { image, tag: image.includes('@') ? '' : 'latest' };
  return { image: image.slice(0, at), tag: image.slice(at + 1) };
}

const FLAG = /(-\S+)\s+((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+)/g;

/** Docker flags one by one, whatever blanks and quotes stand between them. */
function flagsOf(env: string): readonly string[] {
  return [...env.matchAll(FLAG)].map(([, flag = '', value = '']) => `${flag} ${unquoted(value)}`);
}

const unquoted = (value: string): string =>
  value.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
    double === undefined ? (single ?? '') : double.replace(/\\(.)/g, '$1'),
  );

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
