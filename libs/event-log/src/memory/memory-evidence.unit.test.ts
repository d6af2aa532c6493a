import { evidenceConformance } from '../testing/evidence-conformance.js';
import { MemoryEvidence } from './memory-evidence.js';

evidenceConformance('evidence in memory', () => Promise.resolve(new MemoryEvidence()));
