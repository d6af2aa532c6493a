export * from './backend.js';
export * from './calls.js';
export { backendConformance } from './conformance/conformance.js';
export type { BackendHarness, TestFramework } from './conformance/harness.js';
export { backendIdentityConformance } from './conformance/identity.js';
export {
  DEFAULT_INVENTORY_RULES,
  inventoryController,
  type InventoryControllerOptions,
  type InventoryRules,
} from './inventory/inventory-controller.js';
export * from './left-out.js';
export * from './limit.js';
export * from './redact.js';
export { Blindness } from './blindness.js';
export * from './registry.js';
export * from './resource-controller.js';
export * from './shared-look.js';
export * from './support/matrix.js';
export * from './support/rows.js';
