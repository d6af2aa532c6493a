/** What Node is told of the heap that new objects of a service live in, wherever the service is started. */
export function heapFlags(service: string): string[];
/** What Node is told for plans to be quick; the benchmark of plans runs with the same. */
export const PLANNING_FLAGS: string[];
