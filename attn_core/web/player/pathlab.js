// The two computation paths as a Streamlit component.

import { mounted } from "./mount.js";
import { createPaths } from "./walk.js";

export default mounted(createPaths);
