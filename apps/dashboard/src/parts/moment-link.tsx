import { Anchor } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';

/** Moves the page to the position of an event. */
export function MomentLink({ position }: { readonly position: number }) {
  const [parameters] = useSearchParams();
  const next = new URLSearchParams(parameters);
  next.set('at', String(position));
  return (
    <Anchor component={Link} to={{ search: next.toString() }} inherit title="See the page as it was then">
      #{position}
    </Anchor>
  );
}
