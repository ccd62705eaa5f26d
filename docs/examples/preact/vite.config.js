export default {
  base: "./",
  optimizeDeps: { exclude: ["kifu"] }, // its files lie beside its code
  worker: { format: "es" },
  build: { target: "es2022" }, // `await` at the top
};
