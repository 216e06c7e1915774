// The Score lab's sizes of d as a Streamlit component.

import { mounted } from "./mount.js";
import { createSizes } from "./sizes.js";

export default mounted(createSizes);
