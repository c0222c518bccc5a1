/** The plan that a person is buying. */
import { useQuery } from '@tanstack/react-query';
import { plansQuery } from './api/billing-queries.ts';
import { shippedTitle } from './model.ts';

export interface ChosenPlan {
  id: string;
  title: string;
}

/** Returns the plan with this id, or null if there is none. A plan of the operator's own is undefined until the server has listed it. */
export function usePlan(id: string | null): ChosenPlan | null | undefined {
  const shipped = id === null ? null : shippedTitle(id);
  const plans = useQuery({ ...plansQuery, enabled: id !== null && shipped === null });
  if (id === null) return null;
  if (shipped !== null) return { id, title: shipped };
  if (plans.isPending) return undefined;
  return plans.data?.find((plan) => plan.id === id) ?? null;
}
