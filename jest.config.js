const common = {
  testEnvironment: '<rootDir>/scripts/lib/test-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@davit/contracts/categories$': '<rootDir>/libs/contracts/src/events/define.ts',
    '^@davit/contracts/published$': '<rootDir>/libs/contracts/src/published/index.ts',
    '^@davit/domain/money$': '<rootDir>/libs/domain/src/money.ts',
    '^@davit/stage$': '<rootDir>/test/stage/src/index.ts',
    '^@davit/test-support/published-events$': '<rootDir>/test/support/src/published-events.ts',
    '^@davit/test-support$': '<rootDir>/test/support/src/index.ts',
    '^@davit/world$': '<rootDir>/test/world/src/index.ts',
    '^@davit/(contracts|domain|event-log|bus|projection|reconcile|provider-kit|service-kit|ports|subscriber)$':
      '<rootDir>/libs/$1/src/index.ts',
    '^@davit/(cli|spec-api|orchestrator|skypilot-agent|capacity-advisor|vast-serverless|runtime-prober|router-registry)$':
      '<rootDir>/apps/$1/src/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.davit/', '<rootDir>/.nx/'],
};

/** Unit tests need nothing; integration tests share one PostgreSQL and one NATS server, started once. */
export default {
  // A busy machine is no defect: tests wait for conditions, and this bounds only how long they may wait in vain.
  testTimeout: 60_000,
  workerIdleMemoryLimit: '512MB',
  // One more than the processors of the smallest machine: some suites wait more than they compute.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/lib/test-order.mjs',
  reporters: ['default', '<rootDir>/scripts/lib/test-summary.mjs'],
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/**/*.unit.test.ts'] },
    {
      ...common,
      displayName: 'int',
      testMatch: ['<rootDir>/**/*.int.test.ts'],
      globalSetup: '<rootDir>/test/support/jest-global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/jest-global-teardown.mjs',
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e.test.ts'],
    },
  ],
};
