import { ConfigError, type Environment, commonConfig, keyFileHash, loadConfig } from '@davit/service-kit';
import { z } from 'zod';
import { type AccessConfig, accessVariables } from './access-config.js';

const LOOPBACK_HOST = /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/;

/** `open` lets everybody do everything; `local` does the same for whoever speaks to this machine by its own name. */
export type AccessMode = 'required' | 'local' | 'open';

type Settings = Pick<
  AccessConfig,
  'DAVIT_ACCESS' | 'DAVIT_ADMIN_KEY_FILE' | 'DAVIT_OIDC_ISSUER' | 'DAVIT_OIDC_AUDIENCE'
> & { readonly HOST: string };

/**
 * Whether callers have to say who they are.
 * @throws ConfigError where others could reach a door that asks nobody, or a token could be meant for anybody
 */
export function accessModeOf(settings: Settings): AccessMode {
  const { DAVIT_ACCESS: access, DAVIT_ADMIN_KEY_FILE: keyFile, DAVIT_OIDC_ISSUER: issuer, HOST: host } = settings;
  if (issuer !== undefined && settings.DAVIT_OIDC_AUDIENCE === undefined)
    throw new ConfigError([
      'DAVIT_OIDC_AUDIENCE is not set. Set whom tokens of DAVIT_OIDC_ISSUER have to be meant for, for example "davit".',
    ]);
  if (access !== undefined) return access;
  if (keyFile !== undefined || issuer !== undefined) return 'required';
  if (LOOPBACK_HOST.test(host)) return 'local';
  throw new ConfigError([
    `HOST: others can reach "${host}", and nobody is asked who they are. Set DAVIT_ADMIN_KEY_FILE or DAVIT_OIDC_ISSUER, or HOST=127.0.0.1, or DAVIT_ACCESS=open where something in front of it asks.`,
  ]);
}

/**
 * Asked before the port is opened.
 * @throws ConfigError
 */
export function mayOpen(environment: Environment): void {
  const settings = loadConfig(z.object({ ...accessVariables, HOST: commonConfig.shape.HOST }), environment);
  accessModeOf(settings);
  adminKeyHash(settings);
}

/**
 * Hash of the key that may do everything; undefined where none is set.
 * @throws ConfigError
 */
export const adminKeyHash = ({
  DAVIT_ADMIN_KEY_FILE: file,
}: Pick<Settings, 'DAVIT_ADMIN_KEY_FILE'>): string | undefined => keyFileHash('DAVIT_ADMIN_KEY_FILE', file);
