/**
 * Of what is published: HTTP operations, subjects and messages of the bus. Its first number moves when something that was promised
 * changes; see docs/adr/0028-how-the-contract-moves.md. Events have versions of their own, and so has the specification.
 */
export const CONTRACT_VERSION = '1.0.0';
