/** Values that stay on the screen while newer ones fail to load. */
import { useState } from 'react';

/** A value with the tag that was current when it arrived. */
interface TaggedValue<Value, Tag> {
  value: Value;
  tag: Tag;
}

/** Returns the last value that was not undefined, with its tag: for example the range that it belongs to. */
export function useKept<Value, Tag>(value: Value | undefined, tag: Tag): TaggedValue<Value, Tag> | undefined {
  const [kept, keep] = useState<TaggedValue<Value, Tag> | undefined>(value === undefined ? undefined : { value, tag });
  if (value === undefined || value === kept?.value) return kept;
  const next = { value, tag };
  keep(next);
  return next;
}
