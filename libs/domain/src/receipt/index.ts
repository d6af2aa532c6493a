export * from './files.js';
export type * from './receipt.js';
export { receiptOf } from './receipt-of.js';
export { RECEIPT_CHECKS, type ReceiptCheck, type ReceiptFinding } from './verify/finding.js';
export { verifyReceipt } from './verify/verify.js';
