import { breaksOf, type OutputObservation, type Shape } from '@davit/domain';

const text = { kind: 'string' } as const;
const object = (fields: Readonly<Record<string, Shape>>): Shape => ({ kind: 'object', fields });
const choices = (choice: Shape): Shape => object({ choices: { kind: 'array', items: [choice] } });

/** What a client of OpenAI's interface reads. Source: https://platform.openai.com/docs/api-reference/chat/object */
const SHAPES: Readonly<Record<string, Shape>> = {
  'openai chat completion': choices(object({ message: object({ content: text }) })),
  'openai completion': choices(object({ text })),
};

/** The name of the interface that an answer keeps to; null when it keeps to none that is known. */
export function interfaceOf({ shape }: Pick<OutputObservation, 'shape'>): string | null {
  if (shape === null) return null;
  return Object.entries(SHAPES).find(([, wanted]) => breaksOf(wanted, shape).length === 0)?.[0] ?? null;
}
