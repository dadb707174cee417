# before
def f(omega, theta_1, dt, n):
    omega_1 = omega
    for i in range(n):
        t = dt * omega_1
        theta_2 = theta_1 + t
        u = dt * theta_2
        omega_2 = omega_1 - u
        theta_1 = theta_2
        omega_1 = omega_2
    return theta_1, omega_1


# after
def f(omega, theta_1, dt, n):
    for i in range(n):
        t = dt * omega
        theta = theta_1 + t
        u = dt * theta
        omega = omega - u
        theta_1 = theta
    return theta_1, omega
