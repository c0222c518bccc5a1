/** Focus handling for invalid forms. */

interface Form {
  getInputNode: (path: never) => HTMLElement | null;
}

/** Focuses the first invalid field, so that its message is announced. */
export function focusFirstError(form: Form) {
  return (errors: object) => {
    const [first] = Object.keys(errors);
    if (first !== undefined) form.getInputNode(first as never)?.focus();
  };
}
