import type { RouteTable } from '../table.js';

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
export function liteLlm({ aliases }: RouteTable): { readonly model_list: readonly LiteLlmModel[] } {
  return {
    model_list: aliases.flatMap(({ alias, tenant, endpoints }) =>
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
              id: `${target.replica}:${asks}`,
              deployment: target.deployment,
              ...(target.generation === undefined ? {} : { generation: target.generation }),
            },
          })),
        ),
    ),
  };
}
