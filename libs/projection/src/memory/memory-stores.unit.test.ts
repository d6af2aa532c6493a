import { projectionStoreConformance } from '../testing/store-conformance.js';
import { inMemoryProjectionStores } from './memory-stores.js';

projectionStoreConformance('in memory', () => Promise.resolve(inMemoryProjectionStores()));
