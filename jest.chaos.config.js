import everyday from './jest.config.js';

const [{ displayName: _, ...common }] = everyday.projects;

/** Harm done to whole systems of real processes: too long for every day, and a part of what a change must pass. */
export default {
  ...everyday,
  projects: [{ ...common, displayName: 'chaos', testMatch: ['<rootDir>/test/**/*.chaos.test.ts'] }],
};
