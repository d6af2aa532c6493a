import { z } from 'zod';
import { readinessSignal } from '../events/runtime.js';
import { placement, stockState } from '../placement.js';
import { hourlyPrice, instant, position } from '../primitives.js';

/** What a line of a story is about. */
export const STORY_TOPICS = [
  'intent',
  'declaration',
  'request',
  'discovery',
  'advice',
  'placement',
  'wait',
  'launch',
  'machine',
  'runtime',
  'ready',
  'route',
  'drain',
  'budget',
  'condition',
  'failure',
  'deletion',
  'quarantine',
  'rollout',
  'verdict',
  'cost',
  'alarm',
  'orphan',
] as const;
export type StoryTopic = (typeof STORY_TOPICS)[number];

/** A placement that was judged when a decision was made, with what was known of it then. */
export const storyCandidate = z.object({
  rung: z.int().nonnegative(),
  placement,
  verdict: z.enum(['chosen', 'next', 'rejected']),
  reason: z.string(),
  state: stockState,
  source: z.string(),
  scope: z.string(),
  /** Age of the signal at the decision; null where nothing was heard. */
  ageMs: z.int().nonnegative().nullable(),
  confidence: z.number().nullable(),
  price: hourlyPrice.nullable(),
  /** False where the log was written before decisions recorded the prices they knew. */
  priceRecorded: z.boolean(),
  scores: z.record(z.string(), z.string()),
});
export type StoryCandidate = z.infer<typeof storyCandidate>;

/** A rule that was applied to measurements, what it came to, and what it computed with. */
export const storyReason = z.object({
  rule: z.string(),
  outcome: z.string(),
  detail: z.string(),
  figures: z.record(z.string(), z.union([z.number(), z.string()]).nullable()),
});
export type StoryReason = z.infer<typeof storyReason>;

/** One event, told. */
export const storyLine = z.object({
  position,
  at: instant,
  topic: z.enum(STORY_TOPICS),
  /** The replica it is about; null for what concerns the whole deployment. */
  replica: z.string().nullable(),
  text: z.string(),
  candidates: z.array(storyCandidate).default([]),
  /** What each source said of a model server that is no longer ready, also where they contradict each other. */
  signals: z.array(readinessSignal).default([]),
  /** Of a verdict on measurements: the rules that were applied, those that decided first. */
  reasons: z.array(storyReason).default([]),
  /** Decisions that were not taken, and why. */
  alternatives: z.array(z.object({ outcome: z.string(), reason: z.string() })).default([]),
});
export type StoryLine = z.infer<typeof storyLine>;

export const EXPLAINED_KINDS = [
  'replica',
  'deployment',
  'route',
  'wait',
  'cost',
  'rollout',
  'verdict',
  'alarm',
  'orphan',
  'budget',
] as const;
export type ExplainedKind = (typeof EXPLAINED_KINDS)[number];

/** Answer of `GET /v1/explain/…`: how it came to what is now, from the user's intent on, in the order of the log. */
export const explainView = z.object({
  about: z.object({ kind: z.enum(EXPLAINED_KINDS), name: z.string() }),
  /** What it does now, and why. */
  now: z.string(),
  /** The lives before this one of the same replica, the latest first. */
  predecessors: z.array(z.string()),
  /** True when every step back to the user's intent is in the log (law 15), and all that bears on it was read to its end. */
  complete: z.boolean(),
  /** What the log does not say, and why. */
  gaps: z.array(z.string()),
  lines: z.array(storyLine),
  /** Ask with `after` set to this for what follows; null at the end. */
  next: position.nullable(),
  /** Of the log, that the story was read up to. */
  position: z.int().nonnegative(),
});
export type ExplainView = z.infer<typeof explainView>;
