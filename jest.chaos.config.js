import everyday from './jest.config.js';

const [{ displayName: _, ...common }] = everyday.projects;

/** Harm done to whole systems of real processes: too long for every day, and a part of what a change must pass. */
export default {
  ...everyday,
  // Each of them keeps more than one processor busy by itself.
  maxWorkers: 2,
  projects: [{ ...common, displayName: 'chaos', testMatch: ['<rootDir>/test/**/*.chaos.test.ts'] }],
};
