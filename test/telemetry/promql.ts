/** One selector of an expression. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

const WORDS = new Set([
  ...['sum', 'max', 'min', 'avg', 'count', 'topk', 'by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool'],
  ...['rate', 'increase', 'changes', 'histogram_quantile', 'label_values'],
]);

/** The label lists of `by (…)` and `on (…)`. */
const LABEL_LISTS = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

/** Labels that an expression groups or joins by. */
export const labelsIn = (expression: string): readonly string[] =>
  [...expression.matchAll(LABEL_LISTS)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));

/** Every selector of a PromQL expression, as our rules and dashboards use the language. */
export function selectorsIn(expression: string): readonly Selector[] {
  const text = expression.replace(LABEL_LISTS, ' ');
  return [...text.matchAll(/([A-Za-z_]\w*)\s*(\{[^}]*\})?/g)].flatMap(([, metric = '', braces = '']) =>
    WORDS.has(metric) || /^[smhd]$/.test(metric) ? [] : [{ metric, matchers: matchersIn(braces) }],
  );
}

const matchersIn = (braces: string): Selector['matchers'] =>
  [...braces.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => ({
    label,
    operator,
    value,
  }));
