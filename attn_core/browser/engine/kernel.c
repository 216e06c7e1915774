// The engine's inner loops, compiled to WebAssembly with SIMD (see kernel.js). All addresses are in bytes, floats are
// 32 bits wide, rows are contiguous, and nothing has to be aligned.
#include <wasm_simd128.h>

typedef const float *restrict in;

// out[i, r] = sum_k x[i, k] * w[r, k] + bias[r]: `rows` inner products with each of n vectors; `step_x` and `step_w`
// are the distances of rows in floats. No bias is address 0.
__attribute__((export_name("products"))) void products(
    float *restrict out, in x, in w, in bias, int n, int rows, int size, int step_x, int step_w) {
    for (int r = 0; r < rows; r++) {
        in row = w + (long)r * step_w;
        for (int i = 0; i < n; i++) {
            in vector = x + (long)i * step_x;
            v128_t a = wasm_f32x4_splat(0), b = a, c = a, d = a;
            int k = 0;
            for (; k + 16 <= size; k += 16) {
                a = wasm_f32x4_add(a, wasm_f32x4_mul(wasm_v128_load(row + k), wasm_v128_load(vector + k)));
                b = wasm_f32x4_add(b, wasm_f32x4_mul(wasm_v128_load(row + k + 4), wasm_v128_load(vector + k + 4)));
                c = wasm_f32x4_add(c, wasm_f32x4_mul(wasm_v128_load(row + k + 8), wasm_v128_load(vector + k + 8)));
                d = wasm_f32x4_add(d, wasm_f32x4_mul(wasm_v128_load(row + k + 12), wasm_v128_load(vector + k + 12)));
            }
            a = wasm_f32x4_add(wasm_f32x4_add(a, b), wasm_f32x4_add(c, d));
            float sum = wasm_f32x4_extract_lane(a, 0) + wasm_f32x4_extract_lane(a, 1) +
                        wasm_f32x4_extract_lane(a, 2) + wasm_f32x4_extract_lane(a, 3);
            for (; k < size; k++) sum += row[k] * vector[k];
            out[i * rows + r] = bias ? sum + bias[r] : sum;
        }
    }
}

// exp(x) of four numbers up to 0; below -87 it is exp(-87). Cephes' expf: x = k ln 2 + r, and a polynomial in r.
static v128_t exponential(v128_t x) {
    x = wasm_f32x4_max(x, wasm_f32x4_splat(-87.0f));
    v128_t k = wasm_f32x4_nearest(wasm_f32x4_mul(x, wasm_f32x4_splat(1.44269504f)));
    v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(k, wasm_f32x4_splat(0.693359375f)));
    r = wasm_f32x4_add(r, wasm_f32x4_mul(k, wasm_f32x4_splat(2.12194440e-4f)));
    v128_t p = wasm_f32x4_splat(1.9875691500e-4f);
    const float rest[] = {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
    for (int i = 0; i < 5; i++) p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_splat(rest[i]));
    p = wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_mul(p, wasm_f32x4_mul(r, r)), r), wasm_f32x4_splat(1.0f));
    v128_t power = wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(k), wasm_i32x4_splat(127)), 23);
    return wasm_f32x4_mul(p, power);
}

// sum_i exp(x[i] - most), where `most` is the largest of the n numbers.
__attribute__((export_name("exponentials"))) float exponentials(in x, int n, float most) {
    v128_t best = wasm_f32x4_splat(most), a = wasm_f32x4_splat(0), b = a;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        a = wasm_f32x4_add(a, exponential(wasm_f32x4_sub(wasm_v128_load(x + i), best)));
        b = wasm_f32x4_add(b, exponential(wasm_f32x4_sub(wasm_v128_load(x + i + 4), best)));
    }
    a = wasm_f32x4_add(a, b);
    float sum = wasm_f32x4_extract_lane(a, 0) + wasm_f32x4_extract_lane(a, 1) +
                wasm_f32x4_extract_lane(a, 2) + wasm_f32x4_extract_lane(a, 3);
    for (; i < n; i++) sum += wasm_f32x4_extract_lane(exponential(wasm_f32x4_splat(x[i] - most)), 0);
    return sum;
}
