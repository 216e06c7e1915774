// The heads of a Transformer, as a Streamlit component.

import { createHeads } from "./heads.js";
import { mounted } from "./mount.js";

export default mounted(createHeads);
