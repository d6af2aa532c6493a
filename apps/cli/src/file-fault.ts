const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'it is not there',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
};

/** Why a file cannot be read, in words; as the system says it where it says something rarer. */
export function fileFault(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}
