import type { FieldProblem } from '@davit/contracts';
import { parseDocument } from 'yaml';

export type ReadManifest =
  | { readonly ok: true; readonly manifest: unknown }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const MAX_CHARACTERS = 256 * 1_024;

/** Reads a specification as it was pasted: YAML 1.2, and so JSON too. */
export function readManifest(text: string): ReadManifest {
  if (text.length > MAX_CHARACTERS) return wrong('is larger than 256 KiB, which no specification is', 'Paste one.');
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [first] = document.errors;
  if (first?.code === 'MULTIPLE_DOCS') {
    return wrong('holds several documents', 'Write one deployment at a time, and apply each.');
  }
  if (first) {
    const line = first.linePos?.[0].line;
    return wrong(`is not valid YAML: ${first.message.split('\n')[0] ?? ''}`, 'Mend it there.', line);
  }
  const manifest: unknown = document.toJS({ maxAliasCount: 100 });
  if (manifest === null) return wrong('is empty', 'Paste a deployment, or drop its file here.');
  return { ok: true, manifest };
}

const wrong = (message: string, remedy: string, line?: number): ReadManifest => ({
  ok: false,
  problems: [{ path: line === undefined ? '' : `line ${line}`, message, remedy }],
});
