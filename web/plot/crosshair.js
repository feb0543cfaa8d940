// The layer of the cross-hair at the cursor.

/** @type {import('./layers.js').Layer} */
export const crosshair = {
  z: 100,

  shown: ({ cursor }) => cursor !== null,

  draw(context, { cursor, layout, theme }) {
    if (!cursor) return;
    context.fillStyle = theme.cross;
    context.fillRect(Math.round(cursor.x), layout.top, 1, layout.spectrumHeight);
    context.fillRect(Math.round(cursor.x), layout.waterfallTop, 1, layout.waterfallHeight);
    context.fillRect(layout.gutter, Math.round(cursor.y), layout.plotWidth, 1);
  },
};
