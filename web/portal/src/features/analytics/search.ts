/** Search params of the reports. A file apart: the routes load it at the start. */

/** Absent params mean the defaults. */
export interface ReportSearch {
  range?: string;
}

/** Validates the params. */
export function reportSearchOf({ range }: Record<string, unknown>): ReportSearch {
  return typeof range === 'string' ? { range } : {};
}
