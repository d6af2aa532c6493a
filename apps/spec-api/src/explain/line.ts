import type {
  HourlyPrice,
  ReadinessSignal,
  RecordedEvent,
  StoryCandidate,
  StoryLine,
  StoryTopic,
} from '@davit/contracts';

/** What one event has to say; the rest of its line is the same for all. */
export type Told = {
  readonly topic: StoryTopic;
  readonly text: string;
  readonly replica?: string | null;
  readonly candidates?: StoryCandidate[];
  readonly signals?: ReadinessSignal[];
  readonly reasons?: StoryLine['reasons'];
  readonly alternatives?: StoryLine['alternatives'];
};

export const lineOf = ({ position, time }: RecordedEvent, told: Told): StoryLine => ({
  position,
  at: time,
  topic: told.topic,
  replica: told.replica ?? null,
  text: told.text,
  candidates: told.candidates ?? [],
  signals: told.signals ?? [],
  reasons: told.reasons ?? [],
  alternatives: told.alternatives ?? [],
});

/** A part of a sentence, or nothing. */
export type Phrase = string | null | undefined | false;

/** Parts of a sentence, without those that say nothing. */
export const joined = (...parts: readonly Phrase[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('; ');

/** `0.79 USD an hour (quoted by runpod-v2)`; what is not known is said so. */
export function priceText(price: HourlyPrice | null): string {
  if (!price) return 'price unknown';
  const { amount, currency, unit, kind, source, market } = price;
  const each = unit === 'gpu-hour' ? ' for each card' : '';
  const how = market === undefined || market === 'on-demand' ? '' : ` ${market}`;
  return `${amount} ${currency} an hour${each}${how} (${kind} by ${source})`;
}
