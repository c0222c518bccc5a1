/** Where a refused form puts the focus. */

interface Form {
  getInputNode: (path: never) => HTMLElement | null;
}

/** To the first field with a message, so that it is read out and can be mended at once. */
export function focusFirstError(form: Form) {
  return (errors: object) => {
    const [first] = Object.keys(errors);
    if (first !== undefined) form.getInputNode(first as never)?.focus();
  };
}
