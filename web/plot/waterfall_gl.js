// The waterfall in WebGL2: rows in a ring texture; the shader maps them to pixels, levels and colours.
//
//     rows     R8       [capacity][width]  the levels of a row, uploaded once
//     mapping  RGBA32F  [capacity][2]      texel 0: column at the left edge, columns per pixel, columns, break: 1
// fault, 2 other, 3 jump
//                                          texel 1: offset dB, step dB
//     palette  RGBA8    [1][256]
//
// Zooming, panning, the level range and the palette change the drawing only, never the stored rows.

import { isJump } from './breaks.js';
import { OVER_RANGE, paletteTable } from './palette.js';

// One triangle that covers the whole canvas.
const VERTEX = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

// height, rowPixels, shift: device pixels; shift: the hidden part of the newest rows.
// ring: newest index, rows, capacity. range: dB at the bottom, 1 / dB from bottom to top.
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D rows, mapping, palette;
uniform float height, rowPixels, shift;
uniform ivec3 ring;
uniform vec2 range;
uniform vec3 background, fault, seam, jump, over;
out vec4 color;

float strongest(int index, int from, int to) {
  int stride = max(1, (to - from + 1) / 64);
  float level = 0.0;
  for (int i = from; i <= to; i += stride) level = max(level, texelFetch(rows, ivec2(i, index), 0).r);
  return level * 255.0;
}

void main() {
  color = vec4(background, 1.0);
  int age = int(floor((height - gl_FragCoord.y + shift) / rowPixels));
  if (age < 0 || age >= ring.y) return;
  int index = (ring.x - age + ring.z) % ring.z;
  vec4 map = texelFetch(mapping, ivec2(0, index), 0);
  float x = floor(gl_FragCoord.x);
  if (map.w > 0.5) {
    if (mod(x, 16.0) < 10.0) color = vec4(map.w < 1.5 ? fault : map.w < 2.5 ? seam : jump, 1.0);
    return;
  }
  float left = map.x + map.y * x;
  int from = int(floor(left)), to = max(from, int(ceil(left + map.y)) - 1), columns = int(map.z);
  if (to < 0 || from >= columns) return;
  vec2 scale = texelFetch(mapping, ivec2(1, index), 0).xy;
  float db = scale.x + scale.y * strongest(index, max(from, 0), min(to, columns - 1));
  float at = (db - range.x) * range.y;
  if (at > 1.0) {
    color = vec4(over, 1.0);
    return;
  }
  at = max(at, 0.0);
  color = texture(palette, vec2((at * 255.0 + 0.5) / 256.0, 0.5));
}`;

/** @param {WebGL2RenderingContext} gl @param {number} type @param {string} source */
function shader(gl, type, source) {
  const made = /** @type {WebGLShader} */ (gl.createShader(type));
  gl.shaderSource(made, source);
  gl.compileShader(made);
  return made;
}

/** @param {WebGL2RenderingContext} gl */
function link(gl) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram());
  gl.attachShader(program, shader(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(`waterfall shader: ${gl.getProgramInfoLog(program)}`);
  return program;
}

/** @param {WebGL2RenderingContext} gl @param {number} unit @param {number} filter */
function texture(gl, unit, filter) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
}

/** Some browsers create such a context in spite of failIfMajorPerformanceCaveat. @param {WebGL2RenderingContext} gl */
function isSoftware(gl) {
  let name = String(gl.getParameter(gl.RENDERER));
  const more = /webkit/i.test(name) ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  if (more) name = String(gl.getParameter(more.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

const ROWS = 0,
  MAPPING = 1,
  PALETTE = 2; // texture units

export class WaterfallGl {
  name = 'WebGL2';

  /**
   * Throws if WebGL2 is missing. Without a GPU it is several times slower than a 2D canvas and
   * counts as missing, unless evenSlow is set.
   * @param {HTMLCanvasElement} canvas @param {number} capacity  rows
   * @param {boolean} evenSlow
   */
  constructor(canvas, capacity, evenSlow) {
    const options = {
      alpha: false,
      antialias: false,
      depth: false,
      preserveDrawingBuffer: true,
      failIfMajorPerformanceCaveat: !evenSlow,
    };
    const gl = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext('webgl2', options));
    if (!gl || (!evenSlow && isSoftware(gl))) throw new Error(evenSlow ? 'no WebGL2' : 'no WebGL2 with a GPU');
    this.gl = gl;
    this.canvas = canvas;
    this.capacity = capacity;
    this.maxColumns = /** @type {number} */ (gl.getParameter(gl.MAX_TEXTURE_SIZE));
    this.width = 0; // of the row texture
    this.seen = 0; // rows of the history that are uploaded
    this.palette = '';
    this.mappedView = ''; // and canvas width that `mapping` is for
    this.mapping = new Float32Array(capacity * 8);
    const program = (this.program = link(gl));
    gl.useProgram(program);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    texture(gl, ROWS, gl.NEAREST);
    texture(gl, MAPPING, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 2, capacity, 0, gl.RGBA, gl.FLOAT, null);
    texture(gl, PALETTE, gl.LINEAR);
    ['rows', 'mapping', 'palette'].forEach((name, unit) => gl.uniform1i(this.#uniform(name), unit));
  }

  /** @param {string} name */
  #uniform(name) {
    return this.gl.getUniformLocation(this.program, name);
  }

  /**
   * @param {import('./history.js').Row} row
   * @param {number} index
   * @param {import('./display.js').Scene} scene
   */
  #mapRow(row, index, scene) {
    // In double precision: a float cannot resolve 1 Hz at 1 GHz.
    const pixelHz = (scene.view.highHz - scene.view.lowHz) / this.canvas.width;
    this.mapping.set(
      [
        (scene.view.lowHz - row.lowHz) / row.columnHz,
        pixelHz / row.columnHz,
        row.levels.length,
        row.gap ? (isJump(row.gap) ? 3 : row.gap.fault ? 1 : 2) : 0,
        row.offsetDb,
        row.stepDb,
        0,
        0,
      ],
      index * 8,
    );
  }

  /** @param {number} columns @param {import('./history.js').History} history */
  #widen(columns, history) {
    const { gl } = this;
    while (this.width < columns) this.width = Math.min(this.maxColumns, Math.max(1024, this.width * 2));
    gl.activeTexture(gl.TEXTURE0 + ROWS);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, this.width, this.capacity, 0, gl.RED, gl.UNSIGNED_BYTE, null);
    this.seen = Math.max(0, history.total - history.length);
  }

  /** @param {import('./display.js').Scene} scene */
  #upload(scene) {
    const { gl } = this,
      { history } = scene;
    let fresh = Math.min(history.total - this.seen, history.length);
    const widest = history.rows.reduce((width, row) => Math.max(width, row.levels.length), 0);
    if (fresh > 0 && widest > this.width) {
      this.#widen(widest, history);
      fresh = history.length;
    }
    gl.activeTexture(gl.TEXTURE0 + ROWS);
    for (let age = fresh - 1; age >= 0; age--) {
      const index = history.index(age),
        row = history.rows[index];
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, index, row.levels.length, 1, gl.RED, gl.UNSIGNED_BYTE, row.levels);
    }
    this.seen = history.total;
    this.#uploadMapping(scene, fresh);
  }

  /** @param {import('./display.js').Scene} scene @param {number} fresh  newest rows that are not mapped yet */
  #uploadMapping(scene, fresh) {
    const { gl } = this,
      { history, view } = scene;
    const key = `${view.lowHz} ${view.highHz} ${this.canvas.width}`;
    const all = key !== this.mappedView;
    for (let age = (all ? history.length : fresh) - 1; age >= 0; age--)
      this.#mapRow(history.rows[history.index(age)], history.index(age), scene);
    if (all || fresh > 0) {
      gl.activeTexture(gl.TEXTURE0 + MAPPING);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, this.capacity, gl.RGBA, gl.FLOAT, this.mapping);
    }
    this.mappedView = key;
  }

  /** @param {string} name */
  #usePalette(name) {
    if (name === this.palette) return;
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + PALETTE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, paletteTable(name));
    this.palette = name;
  }

  /** @param {import('./display.js').Scene} scene */
  draw(scene) {
    const { gl, canvas } = this,
      { history, waterfallRange: range } = scene;
    this.#usePalette(scene.palette);
    this.#upload(scene);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform1f(this.#uniform('height'), canvas.height);
    gl.uniform1f(this.#uniform('rowPixels'), scene.rowPixels);
    gl.uniform1f(this.#uniform('shift'), scene.shift);
    gl.uniform3i(this.#uniform('ring'), history.index(0), history.length, this.capacity);
    gl.uniform2f(this.#uniform('range'), range.bottomDb, 1 / (range.topDb - range.bottomDb));
    const { background, fault, seam, jump } = scene;
    for (const [name, color] of Object.entries({ background, fault, seam, jump, over: OVER_RANGE }))
      gl.uniform3fv(
        this.#uniform(name),
        color.map((part) => part / 255),
      );
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
