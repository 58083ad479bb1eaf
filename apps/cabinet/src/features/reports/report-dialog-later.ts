import { later } from '../../ui/later.tsx';

export const ReportDialog = later(async () => (await import('./report-dialog.tsx')).ReportDialog);
