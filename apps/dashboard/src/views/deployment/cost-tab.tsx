import { CostReport } from '../cost-report.js';

/** What one deployment cost, day by day. */
export function CostTab({ id }: { readonly id: string }) {
  return <CostReport query={{ deployment: id }} by="replica" />;
}
