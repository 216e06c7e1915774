// The right end of a step: what enters the output layer, and the way to the next word; and what is fed to the next
// step.

import { t } from "../core/messages.js";
import { drawArrow, drawStrip, STRIP } from "./strip.js";
import { fit, fontOf } from "./text.js";

/** @import { Feeding, Geometry, Pen, Picture, Strip } from "../core/types.d.ts" */

const BESIDE = { h: 24, gap: 8 }; // of a vector that enters beside the context vector, in sixteenths of the font size

/**
 * The output layer as a box, where there is room for it, and the way over it to the next word, at the right edge.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {{ x: number, y: number }} from the end of what enters it
 * @param {number} [gap] to the box
 */
export function drawOutput(pen, { u, zone, narrow }, from, gap = 24) {
  const { ctx, colors } = pen;
  const box = narrow ? null : { left: from.x + gap * u, right: zone.right - 20 * u, h: 42 * u };
  drawArrow(
    pen,
    [
      [from.x + 3 * u, from.y],
      [box?.left ?? zone.right - 1, from.y],
    ],
    u,
  );
  if (!box) return;
  ctx.strokeStyle = colors.dim;
  ctx.lineWidth = 1;
  ctx.fillStyle = colors.surface;
  ctx.beginPath();
  ctx.roundRect(box.left, from.y - box.h / 2, box.right - box.left, box.h, 8 * u);
  ctx.fill();
  ctx.stroke();
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = colors.ink;
  ctx.textAlign = "center";
  const lines = t("output layer").split(" ");
  lines.forEach((line, i) =>
    ctx.fillText(
      fit(ctx, line, box.right - box.left - 6 * u),
      (box.left + box.right) / 2,
      from.y + (i - (lines.length - 1) / 2) * 15 * u,
    ),
  );
  drawArrow(
    pen,
    [
      [box.right, from.y],
      [zone.right - 1, from.y],
    ],
    u,
  );
}

/**
 * The vectors that enter the output layer beside the context vector, over it, as many as there is room for.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Strip[]} beside
 * @param {Picture | null} picture
 * @param {{ step: number, top: number, bottom: number, middle: number }} place `middle`: of the output layer
 */
export function drawBeside(pen, { u, zone, narrow }, beside, picture, { step, top, bottom, middle }) {
  const { ctx, colors } = pen;
  const pitch = (BESIDE.h + BESIDE.gap) * u;
  const shown = beside.slice(0, Math.floor((bottom - top) / pitch));
  if (narrow || !shown.length) return;
  const x = zone.right - 29 * u;
  drawArrow(
    pen,
    [
      [x, bottom - pitch * shown.length],
      [x, middle - 21 * u],
    ],
    u,
    { color: colors.dim },
  );
  ctx.font = fontOf(pen, 14 * u);
  ctx.textAlign = "right";
  shown.forEach(({ id, name, vectors, scale }, i) => {
    const y = bottom - pitch * (i + 1);
    drawStrip(pen, { x, y, w: STRIP * u, h: BESIDE.h * u }, vectors[step], scale, { shown: picture?.changed?.[id] });
    ctx.fillStyle = colors.dim;
    ctx.fillText(fit(ctx, name, x - 13 * u - zone.left), x - 13 * u, y + (BESIDE.h * u) / 2);
  });
}

/**
 * What the step before feeds to this one: from the end of the step to the vector that it enters. At the first step
 * nothing comes from a step before.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Feeding} feeding
 * @param {Picture | null} picture
 * @param {{ step: number, middle: number, target: { x: number, y: number } }} place `middle`: of the output layer;
 * `target`: the end of the vector that it enters, over it
 */
export function drawFeeding(
  pen,
  g,
  { name, target: entered, vectors, scale, isZero },
  picture,
  { step, middle, target },
) {
  const { ctx, colors } = pen;
  const { feeding: row, zone, u, narrow } = g;
  if (!row) return;
  const y = row.y + row.h / 2;
  const strip = { x: target.x, y: row.y, w: (narrow ? 12 : STRIP) * u, h: row.h };
  if (entered)
    drawArrow(
      pen,
      [
        [target.x, row.y],
        [target.x, target.y],
      ],
      u,
    );
  drawStrip(pen, strip, vectors[step], scale, { shown: picture?.changed?.feeding });
  const way = entered && !narrow ? t("{name} → {entered}", { name, entered }) : name;
  const text = !isZero[step] ? way : narrow ? t("zeros at this step") : t("{way}: zeros at this step", { way });
  const turn = zone.right - (narrow ? 4 : 9) * u;
  const isLeft = target.x < zone.left; // there is room for the text to the right of the strip, else to its left
  const edge = target.x + (isLeft ? 1 : -1) * (strip.w / 2 + 6 * u);
  ctx.font = fontOf(pen, Math.max((narrow ? 12.5 : 14) * u, narrow ? 12 : 0));
  ctx.textAlign = isLeft ? "left" : "right";
  const shown = fit(ctx, text, isLeft ? turn - edge - 40 * u : edge - g.left(0));
  const width = ctx.measureText(shown).width;
  if (!isZero[step]) {
    drawArrow(
      pen,
      [
        [turn, middle],
        [turn, y],
        [target.x + strip.w / 2 + u, y],
      ],
      u,
      { color: colors.dim, isDashed: true },
    );
    ctx.fillStyle = colors.surface;
    if (isLeft) ctx.fillRect(edge + 6 * u, row.y + 3 * u, width + 12 * u, row.h - 6 * u);
  }
  ctx.fillStyle = colors.dim;
  ctx.fillText(shown, edge + (isLeft ? 12 * u : 0), y);
}
