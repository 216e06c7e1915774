// createWindowLab as a component of the dashboard.

import { mounted } from "./mounted.js";
import { createWindowLab } from "./windowlab.js";

export default mounted(createWindowLab);
