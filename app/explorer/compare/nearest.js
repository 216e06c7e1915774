// The model to compare another one with.

import { setupApart } from "../settings/axes.js";

/** @import { Axis, Offered } from "../../../attn_core/browser/hosts/types.d.ts" */

/**
 * The model that differs least from another one in what readers can choose: on the fewest axes and, of several, in the
 * fewest other settings.
 * @param {Offered[]} models
 * @param {Axis[]} axes
 * @param {string} name
 */
export function nearest(models, axes, name) {
  const { point = {}, setup = {} } = models.find((model) => model.name === name) ?? {};
  const distance = (/** @type {Offered} */ { point: other = {}, setup: others = {} }) => {
    const apart = axes.filter((axis) => other[axis.name] !== point[axis.name]);
    return (apart.some(({ chip }) => chip) ? 0 : 1000) + 100 * apart.length + setupApart(setup, others).length;
  };
  const [first] = models.filter((model) => model.name !== name).sort((one, other) => distance(one) - distance(other));
  return first?.name ?? name;
}
