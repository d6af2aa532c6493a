import { DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { createBackendRegistry } from '../registry.js';
import { resourceController } from '../resource-controller.js';
import { Rig } from './rig.js';
import { ScriptedBackend } from './scripted-backend.js';

export interface Stage {
  readonly backend: ScriptedBackend;
  readonly controller: Controller;
  readonly rig: Rig;
}

/** A controller over a backend that answers what the test says. */
export function setUp(): Stage {
  const backend = new ScriptedBackend();
  const controller = resourceController({ backends: createBackendRegistry([backend]) });
  return { backend, controller, rig: new Rig() };
}

/** The same, with a replica whose resource serves. */
export async function serving(): Promise<Stage> {
  const stage = setUp();
  await stage.rig.requested();
  await stage.rig.settle(stage.controller);
  await stage.rig.launchRequested();
  await stage.rig.settle(stage.controller);
  await stage.rig.run(stage.controller, DEFAULT_RESOURCE_TIMINGS.visibilityMs + 1_000, 5_000);
  stage.backend.calls.length = 0;
  return stage;
}
