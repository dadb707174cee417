"""A race car on a track, with tyres, suspension, engine, brakes and driver: a simulator as engineers grow it over years."""
import numpy as np

from benchmarks.first_calls.record import Program

GRAVITY = 9.81


def magic_formula(slip, load, tyre):
    """Pacejka's formula: the force of a tyre over its slip, degressive in its load."""
    overload = (load - tyre['nominal']) / tyre['nominal']
    peak = tyre['grip'] * load * (1.0 - tyre['sensitivity'] * overload)
    stiffness = tyre['stiffness'] * np.sin(2.0 * np.arctan(load / tyre['nominal']))
    B = stiffness / (tyre['shape'] * tyre['grip'])
    bent = B * slip - tyre['curvature'] * (B * slip - np.arctan(B * slip))
    return peak * np.sin(tyre['shape'] * np.arctan(bent))


def heated_grip(temperature, tyre):
    """A tyre grips best at one temperature."""
    away = (temperature - tyre['best']) / tyre['width']
    return 1.0 / (1.0 + away ** 2)


def combined_forces(slip_ratio, slip_angle, load, temperature, tyre):
    """Forces along and across a wheel that slips in both directions: similarity of slips."""
    total = np.sqrt(slip_ratio ** 2 + np.tan(slip_angle) ** 2 + 1e-8)
    force = magic_formula(total, load, tyre) * heated_grip(temperature, tyre)
    return force * slip_ratio / total, -force * np.tan(slip_angle) / total


def wheel_loads(car, ax, ay, downforce, roll_angle):
    """The load of every wheel: weight, transfer along and across, downforce, and anti-roll bars."""
    wheelbase = car['front'] + car['rear']
    front = car['mass'] * (GRAVITY * car['rear'] - ax * car['height']) / wheelbase + downforce * car['balance']
    rear = car['mass'] * (GRAVITY * car['front'] + ax * car['height']) / wheelbase + downforce * (1.0 - car['balance'])
    across = car['mass'] * ay * car['height'] / car['track']
    by_roll = car['bars'] * roll_angle
    share = car['roll share']
    loads = np.array([
        0.5 * front - share * across - by_roll[0],
        0.5 * front + share * across + by_roll[0],
        0.5 * rear - (1.0 - share) * across - by_roll[1],
        0.5 * rear + (1.0 - share) * across + by_roll[1],
    ])
    return np.where(loads > 50.0, loads, 50.0 * np.exp(np.minimum(loads - 50.0, 0.0) / 50.0))


def engine_torque(speed, throttle, engine):
    """Torque from a map over turns and throttle, bilinearly, with a limiter."""
    turns = np.clip(speed, engine['turns'][0], engine['turns'][-1] - 1e-6)
    k = np.searchsorted(engine['turns'], turns, side='right') - 1
    w = (turns - engine['turns'][k]) / (engine['turns'][k + 1] - engine['turns'][k])
    place = np.clip(throttle, 0.0, 1.0 - 1e-9) * (engine['throttles'].size - 1)
    j = int(place)
    t = place - j
    low = (1.0 - w) * engine['map'][k, j] + w * engine['map'][k + 1, j]
    high = (1.0 - w) * engine['map'][k, j + 1] + w * engine['map'][k + 1, j + 1]
    limiter = 1.0 / (1.0 + np.exp((speed - engine['limit']) / 20.0))
    return ((1.0 - t) * low + t * high) * limiter


def gear_of(speed, gears, radius, best):
    """The highest gear in which the engine still turns fast enough."""
    chosen = 0
    for k in range(len(gears)):
        if speed / radius * gears[k] > best:
            chosen = k
    return chosen


def differential(torque, spins, lock):
    """How a locking differential shares torque between two wheels."""
    bias = lock * np.tanh(spins[0] - spins[1])
    return np.array([0.5 * torque - bias, 0.5 * torque + bias])


def brake_torques(pedal, spins, brakes):
    """Brakes at every wheel, with a smooth anti-lock."""
    wanted = pedal * np.array([brakes['front'], brakes['front'], brakes['rear'], brakes['rear']])
    return wanted * np.tanh(0.5 * spins)


def track_point(s, track):
    """Curvature and place of the middle of the track."""
    k = int(s // track['spacing']) % (track['curvature'].size - 1)
    w = s / track['spacing'] - np.floor(s / track['spacing'])
    curvature = (1.0 - w) * track['curvature'][k] + w * track['curvature'][k + 1]
    return curvature, track['width']


def planned_speed(s, track, driver):
    """The speed that the driver believes in, from the curvature ahead."""
    slowest = 80.0
    for ahead in range(3):
        curvature, _ = track_point(s + ahead * driver['preview'], track)
        possible = np.sqrt(driver['courage'] * GRAVITY / (np.abs(curvature) + 1e-3))
        slowest = min(slowest, possible + 2.0 * ahead)
    return slowest


def driven(state, track, driver, memory):
    """Steering, throttle and brake: preview of the path, and a controller of speed with an integral."""
    s, offset, heading, vx, _, rate = state
    curvature, _ = track_point(s + driver['preview'], track)
    feed = np.arctan(curvature * driver['wheelbase']) * (1.0 + driver['understeer'] * vx ** 2)
    damping = driver['rate gain'] * (rate - curvature * vx)
    steer = feed - driver['offset gain'] * offset - driver['heading gain'] * heading - damping
    steer = 0.5 * np.tanh(steer / 0.5)
    error = planned_speed(s, track, driver) - vx
    memory = 0.95 * memory + 0.05 * error
    demand = driver['speed gain'] * error + driver['integral gain'] * memory
    throttle = np.clip(demand, 0.0, 1.0)
    brake = np.clip(-demand, 0.0, 1.0)
    return steer, throttle, brake, memory


def aerodynamics(vx, car, air):
    """Drag and downforce, with a ride height that falls with speed."""
    pressure = 0.5 * air['density'] * vx ** 2
    ride = air['ride'] * np.exp(-pressure / air['softness'])
    lift = air['lift'] * (1.0 + air['ground'] / (1.0 + ride ** 2))
    return pressure * air['drag'] * car['area'], pressure * lift * car['area']


def slips(vx, vy, rate, spins, steer, car):
    """Slip ratio and slip angle of every wheel."""
    half = 0.5 * car['track']
    ratios, angles = np.zeros(4), np.zeros(4)
    for w in range(4):
        side = -half if w % 2 == 0 else half
        along = car['front'] if w < 2 else -car['rear']
        u, v = vx + side * rate, vy + along * rate
        if w < 2:
            c, sn = np.cos(steer), np.sin(steer)
            u, v = c * u + sn * v, -sn * u + c * v
        rolling = spins[w] * car['radius']
        ratios[w] = (rolling - u) / np.maximum(np.abs(u), 1.0)
        angles[w] = np.arctan2(v, np.abs(u) + 0.1)
    return ratios, angles


def moved(state, spins, temperatures, roll, controls, loads, car, tyres, engine, brakes, air, track, dt):
    """One step of the body, the wheels, their temperatures and the roll of both axles."""
    steer, throttle, brake = controls
    s, offset, heading, vx, vy, rate = state
    drag, _ = aerodynamics(vx, car, air)
    ratios, angles = slips(vx, vy, rate, spins, steer, car)
    gear = engine['gears'][gear_of(vx, engine['gears'], car['radius'], engine['best'])]
    driving = engine_torque(0.5 * (spins[2] + spins[3]) * gear, throttle, engine) * gear
    to_wheels = np.concatenate((np.zeros(2), differential(driving, spins[2:], engine['lock'])))
    braking = brake_torques(brake, spins, brakes)
    force_x, force_y, moment = -drag, 0.0, 0.0
    new_spins, new_temperatures = spins.copy(), temperatures.copy()
    for w in range(4):
        tyre = tyres['front'] if w < 2 else tyres['rear']
        fx, fy = combined_forces(ratios[w], angles[w], loads[w], temperatures[w], tyre)
        new_spins[w] += dt * (to_wheels[w] - braking[w] - fx * car['radius']) / car['wheel inertia']
        sliding = np.abs(fx * ratios[w]) + np.abs(fy * np.sin(angles[w]))
        new_temperatures[w] += dt * (tyres['heating'] * sliding * vx - tyres['cooling'] * (temperatures[w] - air['temperature']))
        if w < 2:
            fx, fy = np.cos(steer) * fx - np.sin(steer) * fy, np.sin(steer) * fx + np.cos(steer) * fy
        force_x += fx
        force_y += fy
        moment += fy * (car['front'] if w < 2 else -car['rear']) + fx * 0.5 * car['track'] * (1.0 if w % 2 else -1.0)
    ax, ay = force_x / car['mass'], force_y / car['mass']
    curvature, _ = track_point(s, track)
    along = (vx * np.cos(heading) - vy * np.sin(heading)) / (1.0 - offset * curvature)
    new = np.array([s + dt * along, offset + dt * (vx * np.sin(heading) + vy * np.cos(heading)),
                    heading + dt * (rate - curvature * along), vx + dt * (ax + rate * vy), vy + dt * (ay - rate * vx),
                    rate + dt * moment / car['yaw inertia']])
    rolled = roll + dt * (car['mass'] * ay * car['height'] / car['roll stiffness'] - roll) / car['roll time']
    return new, new_spins, new_temperatures, rolled, ax, ay, driving * 0.5 * (spins[2] + spins[3])


def lap(car, tyres, driver, engine, brakes, air, track, start, dt, steps):
    """What a lap costs: time not gained, leaving the track, hot tyres, and fuel."""
    state, memory = start.copy(), 0.0
    spins = np.full(4, start[3] / car['radius'])
    temperatures, roll = np.full(4, 70.0), np.zeros(2)
    ax, ay, fuel, cost = 0.0, 0.0, 0.0, 0.0
    for _ in range(steps):
        _, downforce = aerodynamics(state[3], car, air)
        loads = wheel_loads(car, ax, ay, downforce, roll)
        steer, throttle, brake, memory = driven(state, track, driver, memory)
        state, spins, temperatures, roll, ax, ay, power = moved(
            state, spins, temperatures, roll, (steer, throttle, brake), loads, car, tyres, engine, brakes, air, track, dt)
        fuel += np.maximum(power, 0.0) * dt / engine['efficiency']
        outside = np.maximum(np.abs(state[1]) - 0.5 * track['width'], 0.0)
        cost += dt * (outside ** 2 + 0.1 * steer ** 2 + 0.01 * (ay / GRAVITY) ** 2)
        cost += dt * 1e-4 * np.sum(np.maximum(temperatures - 100.0, 0.0) ** 2)
    return cost + 1e-7 * fuel - 0.1 * (state[0] - start[0])


def _race(rng, steps=4):
    car = {'mass': 750.0, 'front': 1.6, 'rear': 1.4, 'track': 1.5, 'height': 0.3, 'balance': 0.45, 'bars': np.array([8e3, 6e3]),
           'roll share': 0.55, 'area': 1.4, 'radius': 0.33, 'wheel inertia': 1.2, 'yaw inertia': 900.0, 'roll stiffness': 6e4,
           'roll time': 0.1}
    tyre = {'grip': 1.7, 'nominal': 3000.0, 'sensitivity': 0.1, 'stiffness': 25.0, 'shape': 1.5, 'curvature': 0.2, 'best': 90.0,
            'width': 60.0}
    tyres = {'front': dict(tyre), 'rear': dict(tyre, grip=1.8), 'heating': 1e-4, 'cooling': 0.05}
    driver = {'preview': 8.0, 'courage': 1.4, 'wheelbase': 3.0, 'understeer': 1e-4, 'offset gain': 0.02, 'heading gain': 0.5,
              'rate gain': 0.05, 'speed gain': 0.1, 'integral gain': 0.05}
    turns = np.linspace(100.0, 1100.0, 6)
    torques = np.outer(np.sin(turns / 400.0) + 1.0, np.linspace(-20.0, 250.0, 4))
    engine = {'turns': turns, 'throttles': np.linspace(0.0, 1.0, 4), 'limit': 1050.0, 'lock': 50.0, 'efficiency': 0.35,
              'map': torques, 'gears': np.array([11.0, 8.0, 6.0, 4.7]), 'best': 500.0}
    track = {'spacing': 10.0, 'curvature': 0.02 * rng.normal(size=20), 'width': 10.0}
    air = {'density': 1.2, 'drag': 1.0, 'lift': 2.5, 'ride': 0.5, 'softness': 2e3, 'ground': 0.3, 'temperature': 25.0}
    start = np.array([3.0, 0.2, 0.05, 30.0, 0.3, 0.1])
    return car, tyres, driver, engine, {'front': 2500.0, 'rear': 1500.0}, air, track, start, 0.01, steps


PROGRAMS = (Program(lap, _race, (0, 1, 2)),)
