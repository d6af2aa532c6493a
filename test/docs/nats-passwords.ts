/** Password of the user that a variable is for: `NATS_SPEC_API_PASSWORD` holds `p-spec-api`. */
export const passwordOf = (variable: string): string =>
  `p-${variable.slice('NATS_'.length, -'_PASSWORD'.length).toLowerCase().replaceAll('_', '-')}`;

/** Accounts as the server would read them with these passwords in its environment. */
export const withPasswords = (accounts: string): string =>
  accounts.replace(/\$(NATS_\w+)/g, (_, variable: string) => `"${passwordOf(variable)}"`);
