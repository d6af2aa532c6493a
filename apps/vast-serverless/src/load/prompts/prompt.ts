import { z } from 'zod';

/** A representative request and, where somebody recorded it, the answer that it should get. */
export interface Prompt {
  /** Unique in its file. */
  readonly id: string;
  /** Of the model server. */
  readonly path: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Load units: the most tokens that the answer may have, by the convention of language models. */
  readonly cost: number;
  /** The whole recorded answer as JSON text; null where none was recorded. */
  readonly recorded: string | null;
}

/** A file of prompts that cannot be used. Names file and line, and never what stands there. */
export class PromptsError extends Error {
  readonly code = 'load.prompts-unusable';
  readonly class = 'config';

  constructor(
    readonly file: string,
    readonly line: number | null,
    problem: string,
  ) {
    super(`${file}${line === null ? '' : `:${line}`}: ${problem}`);
    this.name = 'PromptsError';
  }
}

const CHAT_PATH = '/v1/chat/completions';
const TEXT_PATH = '/v1/completions';

const tokens = z.int().positive().optional();
const row = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
  path: z
    .string()
    .regex(/^\/[\w./-]{1,200}$/)
    .optional(),
  payload: z.looseObject({ max_tokens: tokens, max_completion_tokens: tokens, stream: z.literal(false).optional() }),
  recorded: z.record(z.string(), z.unknown()).nullish(),
});

const FIELD_HELP: Readonly<Record<string, string>> = {
  id: 'takes letters, digits, ".", "_" and "-", at most 100',
  path: 'takes the path of the model server, for example "/v1/chat/completions"',
  payload: 'takes the request as the model server gets it, as an object',
  'payload.max_tokens': 'takes a whole number above 0',
  'payload.max_completion_tokens': 'takes a whole number above 0',
  'payload.stream': 'has to be absent or false: answers are read whole',
  recorded: 'takes the recorded answer as an object, or null',
};

/**
 * One prompt for each line of JSON; empty lines are passed over.
 *
 * @param file as errors name it
 * @throws PromptsError for the first line that cannot be used
 */
export function parsePrompts(file: string, text: string): readonly Prompt[] {
  const prompts = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(file, index + 1, line)]));
  if (prompts.length === 0) throw new PromptsError(file, null, 'holds no prompt. Write one JSON object a line.');
  const lines = new Map<string, number>();
  for (const { line, prompt } of prompts) {
    const other = lines.get(prompt.id);
    if (other !== undefined) throw new PromptsError(file, line, `has the id of line ${other}. Ids have to be unique.`);
    lines.set(prompt.id, line);
  }
  return prompts.map(({ prompt }) => prompt);
}

function parseLine(file: string, line: number, text: string): { readonly line: number; readonly prompt: Prompt } {
  const parsed = row.safeParse(jsonOf(file, line, text));
  if (!parsed.success) throw new PromptsError(file, line, problemOf(parsed.error));
  const { id = `line-${line}`, path, payload, recorded } = parsed.data;
  const cost = payload.max_tokens ?? payload.max_completion_tokens;
  if (cost === undefined) {
    throw new PromptsError(file, line, 'payload.max_tokens is missing. It is what the request costs; set it.');
  }
  const prompt = {
    ...{ id, payload, cost },
    path: path ?? ('messages' in payload ? CHAT_PATH : TEXT_PATH),
    recorded: recorded === undefined || recorded === null ? null : JSON.stringify(recorded),
  };
  return { line, prompt };
}

function jsonOf(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words repeat what stands there.
    throw new PromptsError(file, line, 'is no JSON. Write one JSON object a line.');
  }
}

/** By the names of fields alone; contents are nobody's business in an error. */
function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'cannot be used';
  if (issue.code === 'unrecognized_keys') {
    return `has a field that is not known. Known are ${Object.keys(row.shape).join(', ')}.`;
  }
  const field = issue.path.join('.');
  return `${field === '' ? 'the line' : field} ${FIELD_HELP[field] ?? 'has another form than expected'}`;
}
