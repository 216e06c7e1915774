// Event listeners that get the value of a form control instead of the event.

/** @param {(value: string) => void} listener of a text field, a slider or a list */
export const withValue =
  (listener) =>
  (/** @type {{ currentTarget: { value: string } }} */ { currentTarget }) =>
    listener(currentTarget.value);

/** @param {(checked: boolean) => void} listener of a checkbox */
export const withChecked =
  (listener) =>
  (/** @type {{ currentTarget: { checked: boolean } }} */ { currentTarget }) =>
    listener(currentTarget.checked);
