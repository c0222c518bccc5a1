/** The plan that a person is buying. */
import { useQuery } from '@tanstack/react-query';
import type { PlanOut } from '@vitrine/api';
import { plansQuery } from './api/billing-queries.ts';

/** The plan with this id: null if there is none, undefined while the plans load or if that failed. */
export function usePlan(id: string | null): {
  plan: PlanOut | null | undefined;
  error: Error | null;
  retry: () => void;
} {
  const plans = useQuery({ ...plansQuery, enabled: id !== null });
  const retry = () => void plans.refetch();
  if (id === null) return { plan: null, error: null, retry };
  if (plans.data === undefined) return { plan: undefined, error: plans.error, retry };
  return { plan: plans.data.find((plan) => plan.id === id) ?? null, error: null, retry };
}
