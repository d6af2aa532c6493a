import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type To, useSearchParams } from 'react-router';

/** Where a link leads: the instant that the page shows goes along. */
export function usePlace(): (path: string) => To {
  const [parameters] = useSearchParams();
  const at = parameters.get('at');
  return (path) => {
    if (at === null) return path;
    const [pathname = '', search = ''] = path.split('?');
    const next = new URLSearchParams(search);
    next.set('at', at);
    return { pathname, search: next.toString() };
  };
}

export function PageLink({
  to,
  children,
  ...rest
}: AnchorProps & { readonly to: string; readonly children: ReactNode; readonly 'aria-label'?: string }) {
  const place = usePlace();
  return (
    <Anchor component={Link} to={place(to)} inherit {...rest}>
      {children}
    </Anchor>
  );
}

/** Opens the story of something beside the page; `about` is its path below `/v1/explain/`. */
export function ExplainLink({ about, children }: { readonly about: string; readonly children: ReactNode }) {
  const [parameters] = useSearchParams();
  const next = new URLSearchParams(parameters);
  next.set('explain', about);
  return (
    <Anchor component={Link} to={{ search: next.toString() }} preventScrollReset inherit data-explain={about}>
      {children}
    </Anchor>
  );
}
