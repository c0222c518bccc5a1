/** The key of the memberships, apart from their query: the first script of the portal needs only this. */
export const membershipsKey = ['memberships'] as const;
