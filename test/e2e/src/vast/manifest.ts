import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The parts of a serverless specification that the demo changes. */
export interface ServerlessManifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly model: { readonly servedName: string };
    readonly compute: { readonly template: { readonly env: Readonly<Record<string, string>> } };
  };
}

/** A specification as a person wrote it. It stands in this repository, so its fields are there. */
export const readServerless = (file: string): ServerlessManifest =>
  parse(readFileSync(file, 'utf8')) as ServerlessManifest;

/** The same with another argument of the model server: a candidate with a template of its own. */
export function withArgument(manifest: ServerlessManifest, argument: string): ServerlessManifest {
  const { compute } = manifest.spec;
  const { template } = compute;
  const env = { ...template.env, VLLM_ARGS: `${template.env['VLLM_ARGS'] ?? ''} ${argument}` };
  return { ...manifest, spec: { ...manifest.spec, compute: { ...compute, template: { ...template, env } } } };
}
