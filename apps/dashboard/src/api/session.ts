/** The key that requests carry where the server asks for one. It lives as long as the tab and goes to nobody else. */
const KEY = 'davit.api-key';

let listeners: (() => void)[] = [];
let refused = false;

export interface Session {
  readonly key: string | null;
  /** The server wants a key, or another one than this. */
  readonly signIn: boolean;
}

let current: Session = { key: sessionStorage.getItem(KEY), signIn: false };

export const session = {
  get: (): Session => current,
  subscribe(listener: () => void): () => void {
    listeners = [...listeners, listener];
    return () => {
      listeners = listeners.filter((one) => one !== listener);
    };
  },
  /** Takes a key that the server has accepted. */
  enter(key: string): void {
    sessionStorage.setItem(KEY, key);
    refused = false;
    change({ key, signIn: false });
  },
  leave(): void {
    sessionStorage.removeItem(KEY);
    change({ key: null, signIn: true });
  },
  /** The server answered 401. */
  refuse(): void {
    if (refused) return;
    refused = true;
    change({ ...current, signIn: true });
  },
};

function change(next: Session): void {
  current = next;
  for (const listener of listeners) listener();
}

export const authorization = (key = current.key): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };
