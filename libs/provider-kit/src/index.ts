export * from './backend.js';
export * from './conformance/conformance.js';
export {
  DEFAULT_INVENTORY_RULES,
  inventoryController,
  type InventoryControllerOptions,
  type InventoryRules,
} from './inventory/inventory-controller.js';
export * from './limit.js';
export * from './redact.js';
export * from './registry.js';
export * from './resource-controller.js';
export * from './shared-look.js';
