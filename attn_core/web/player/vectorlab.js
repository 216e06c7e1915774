// The Score lab's plane as a Streamlit component.

import { mounted } from "./mount.js";
import { createVectors } from "./vectors.js";

export default mounted(createVectors);
