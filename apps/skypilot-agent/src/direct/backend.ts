import type { ProviderBackend, Subject } from '@davit/provider-kit';

/** Address of the endpoint that a replica adopts; undefined when the list is too short or the mode is another. */
function endpointOf({ deployment, ordinal }: Subject): string | undefined {
  const { compute } = deployment.spec;
  return compute.mode === 'direct' ? compute.endpoints[ordinal]?.replace(/\/+$/, '') : undefined;
}

const missing = ({ ordinal }: Subject): string => `spec.compute.endpoints has no entry ${ordinal}`;

/** The backend `direct`: servers that already run. Nothing is rented, and nothing is deleted. */
export const directBackend: ProviderBackend = {
  adapter: 'direct',
  category: 'resource',
  releases: true,
  capabilities: { advice: false, spot: false, stop: false, regions: false, labels: false },
  identify: (externalKey) => ({ externalKey, name: externalKey }),
  discover: (_, subject) => {
    const url = endpointOf(subject);
    return Promise.resolve(
      url === undefined
        ? { outcome: 'absent', detail: missing(subject) }
        : { outcome: 'present', handle: null, detail: 'named in the specification' },
    );
  },
  ensure: (order) =>
    Promise.resolve(
      endpointOf(order) === undefined
        ? { outcome: 'refused', class: 'config', detail: missing(order) }
        : { outcome: 'accepted', handle: null },
    ),
  observe: (_, { subject }) => {
    const url = endpointOf(subject);
    if (url === undefined) return Promise.resolve({ outcome: 'absent' });
    const detail = 'adopted';
    return Promise.resolve({ outcome: 'present', phase: 'up', url, providerId: url, price: null, class: null, detail });
  },
  delete: () => Promise.resolve({ outcome: 'accepted', detail: 'let go' }),
  inventory: () => Promise.resolve({ outcome: 'listed', rows: [], sources: ['specification'] }),
};
