import type { AliasRoutes, RouteTable } from '../table.js';

/** An entry of LiteLLM's `model_list` (https://docs.litellm.ai/docs/proxy/configs). */
export type LiteLlmModel = {
  readonly model_name: string;
  readonly litellm_params: { readonly model: string; readonly api_base: string; readonly weight: number };
  readonly model_info: Readonly<Record<string, string | number>>;
};

/**
 * One entry for each name that each serving target answers to: the alias with its tenant, and the adapters beside it. Targets
 * that drain are left out, for LiteLLM has no word for them. Keys belong to LiteLLM's own configuration.
 */
export const liteLlm = ({ aliases }: RouteTable): { readonly model_list: readonly LiteLlmModel[] } => ({
  model_list: aliases.flatMap(modelsOf),
});

/** The same as JSON. What one alias comes to is kept for as long as its routes are the same. */
export const liteLlmText = ({ aliases }: RouteTable): string =>
  `{"model_list":[${aliases
    .map(textOf)
    .filter((text) => text !== '')
    .join(',')}]}`;

const texts = new WeakMap<AliasRoutes, string>();

function textOf(routes: AliasRoutes): string {
  const known = texts.get(routes);
  if (known !== undefined) return known;
  const text = modelsOf(routes)
    .map((model) => JSON.stringify(model))
    .join(',');
  texts.set(routes, text);
  return text;
}

const modelsOf = ({ alias, tenant, endpoints }: AliasRoutes): readonly LiteLlmModel[] =>
  endpoints
    .filter(({ state, weight }) => state === 'serving' && weight > 0)
    .flatMap(({ target, weight }) =>
      [
        { name: alias, asks: target.model },
        ...(target.adapters ?? []).map((adapter) => ({ name: `${tenant}/${adapter}`, asks: adapter })),
      ].map(({ name, asks }) => ({
        model_name: name,
        litellm_params: { model: `openai/${asks}`, api_base: `${target.url.replace(/\/+$/, '')}/v1`, weight },
        model_info: {
          // LiteLLM keeps one entry for each id, so that every alias of a server needs one of its own.
          id: `${alias}:${target.replica}:${asks}`,
          deployment: target.deployment,
          ...(target.generation === undefined ? {} : { generation: target.generation }),
        },
      })),
    );
