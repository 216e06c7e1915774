// Listeners to the controls of a form, which get what they hold.

/** @param {(value: string) => void} listener to a text, a slider or a list */
export const withValue =
  (listener) =>
  (/** @type {{ currentTarget: { value: string } }} */ { currentTarget }) =>
    listener(currentTarget.value);

/** @param {(checked: boolean) => void} listener to a checkbox */
export const withChecked =
  (listener) =>
  (/** @type {{ currentTarget: { checked: boolean } }} */ { currentTarget }) =>
    listener(currentTarget.checked);
