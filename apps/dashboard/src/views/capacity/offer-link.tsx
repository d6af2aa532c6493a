import { Anchor } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';

/** Shows the history of an offer below; the address holds which. */
export function OfferLink({ offer }: { readonly offer: string }) {
  const [parameters] = useSearchParams();
  const next = new URLSearchParams(parameters);
  next.set('offer', offer);
  return (
    <Anchor component={Link} to={{ search: next.toString() }} replace preventScrollReset inherit>
      {offer}
    </Anchor>
  );
}
