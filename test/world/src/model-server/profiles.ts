/**
 * The kinds of server there are. The four of vLLM differ in metric families and number style: the V0 engine, the
 * releases that publish old and new names together, the V1 engine, and V1 behind the front end in Rust.
 */
export const PROFILES = [
  'vllm-v0',
  'vllm-transition',
  'vllm-newest',
  'vllm-rust',
  'sglang',
  'tgi',
  'llamacpp',
  'openai',
] as const;

export type Profile = (typeof PROFILES)[number];

export const isProfile = (value: unknown): value is Profile => PROFILES.some((known) => known === value);

/** Release of vLLM that was watched at work (docs/explanation/runtimes-observed.md); the others are known from their sources. */
export const WATCHED_RELEASE = '0.32.0';

/** The release that stands for each kind. */
export const PROFILE_VERSIONS: Readonly<Record<Profile, string>> = {
  'vllm-v0': '0.6.6',
  'vllm-transition': '0.10.0',
  'vllm-newest': '0.27.1',
  'vllm-rust': '0.27.1',
  sglang: '0.5.4',
  tgi: '3.3.5',
  llamacpp: 'b10519',
  openai: '1.0.0',
};

/** Which of vLLM's profiles a release has; V1 is the default engine from 0.8.0, and `gpu_*` names are hidden from 0.11.0. */
export function vllmProfile(version: string, rustFrontEnd = false): Profile {
  if (rustFrontEnd) return 'vllm-rust';
  if (!isAtLeast(version, '0.8.0')) return 'vllm-v0';
  return isAtLeast(version, '0.11.0') ? 'vllm-newest' : 'vllm-transition';
}

/** Whether a request whose client left counts as ended: behind vLLM's V1 engine it does not (vllm-project/vllm#31503). */
export const tellsAborts = ({ profile }: { readonly profile: Profile }): boolean =>
  profile === 'vllm-v0' || !profile.startsWith('vllm-');

/** Compares versions such as `0.10.1` or `b6700` by their numbers. */
export function isAtLeast(version: string, least: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(least)];
  const at = theirs.findIndex((number, index) => (ours[index] ?? 0) !== number);
  return at === -1 || (ours[at] ?? 0) > (theirs[at] ?? 0);
}

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);
