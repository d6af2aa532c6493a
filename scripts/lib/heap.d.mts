/** What Node is told of the heap that new objects of a service live in, wherever the service is started. */
export function heapFlags(service: string): string[];
