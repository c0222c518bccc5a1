/** A value that waits until it stops changing. */
import { useEffect, useState } from 'react';

/** Returns the value once it has not changed for `ms`; at first immediately. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
