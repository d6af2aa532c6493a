import { readFileSync } from 'node:fs';
import { ConfigError } from '@davit/service-kit';

/**
 * The authorities that workers' certificates go back to, in PEM; undefined where no file is named. Vast publishes its own
 * root at https://console.vast.ai/static/jvastai_root.cer.
 * @throws ConfigError for a file that is no such thing
 */
export function readWorkerCa(file: string): string | undefined {
  if (file === '') return undefined;
  const remedy = 'Download https://console.vast.ai/static/jvastai_root.cer and name the file.';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError([`VAST_WORKER_CA_FILE names ${file}, which cannot be read. ${remedy}`]);
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new ConfigError([`VAST_WORKER_CA_FILE names ${file}, which holds no certificate in PEM. ${remedy}`]);
}
